// What of relay's own X client plays the programs that a person copies in; built for a bench by `built`.
export { OwnText } from '../src/system/clipboard/x11/own-text.ts'
export { readText } from '../src/system/clipboard/x11/read-text.ts'
export { Session } from '../src/system/clipboard/x11/session.ts'
