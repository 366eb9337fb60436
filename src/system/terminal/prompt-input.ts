/** The one prompt that relay needs, imported by name: so a bundle leaves out the library's others. */
export { input as promptInput } from '@inquirer/prompts'
