/** The one prompt that relay needs: imported by name, so that a bundle leaves the library's others out. */
export { input as promptInput } from '@inquirer/prompts'
