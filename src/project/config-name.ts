/** The file that makes a folder a project. */
export const configName = 'relaycode.config.json'
