import { caution, type DoctorFinding, ok, problem } from './finding.ts'

export function runtimeFinding(
  version: string,
  { name, version: runtime, platform }: { readonly name: string; readonly version: string; readonly platform: string },
): DoctorFinding {
  const says = `${version}, ${name} ${runtime}, ${platform}`
  const [major = 0, minor = 0] = runtime.split('.').map(Number)
  const isOld = name === 'Node' && (major < 20 || (major === 20 && minor < 19))
  return isOld ? problem('relay', says, 'relay needs Node 20.19 or newer.') : ok('relay', says)
}

interface SeenTerminal {
  readonly columns: number
  readonly canAsk: boolean
  readonly whyUnasked: string | undefined
  readonly colour: { readonly err: boolean }
  readonly unicode: boolean
  readonly links: 'none' | 'files' | 'lines'
}

interface SeenTools {
  /** stderr, where relay talks, is a terminal. */
  readonly isTerminal: boolean
  readonly pager: string | undefined
  readonly editor: string
  readonly hasEditor: boolean
  readonly notices: keyof typeof NOTICES
}

export function terminalFindings(terminal: SeenTerminal, tools: SeenTools): readonly DoctorFinding[] {
  const { columns, canAsk, whyUnasked, colour, unicode, links } = terminal
  const { isTerminal, pager, editor, hasEditor, notices } = tools
  const look = [
    ...(isTerminal ? [`${columns} columns`] : ['no terminal']),
    colour.err ? 'colours' : 'no colours',
    unicode ? 'Unicode' : 'ASCII',
    { none: 'no links', files: 'links to files', lines: 'links to lines' }[links],
    pager === undefined ? 'no pager' : `pager ${pager}`,
    hasEditor ? `editor ${editor}` : 'no editor',
  ].join(', ')
  return [
    ok('terminal', look),
    ...(isTerminal && columns < 40
      ? [caution('terminal', 'relay needs at least 40 columns', 'Make the window wider.')]
      : []),
    ...(canAsk && !hasEditor
      ? [
          caution(
            'terminal',
            `the editor "${editor}" was not found`,
            '`relay config --user editor …` sets another one.',
          ),
        ]
      : []),
    ...(canAsk
      ? []
      : [
          caution(
            'terminal',
            'relay cannot ask here, so it declines every question',
            whyUnasked ?? (isTerminal ? 'Run it without `--no-input`.' : 'Run it in a terminal.'),
          ),
        ]),
    ok('notices', NOTICES[notices]),
  ]
}

const NOTICES = {
  none: 'none: no terminal to tell that relay waits',
  off: 'off',
  bell: 'bell',
  terminal: 'bell, title and, if the terminal supports it, a notification',
  command: 'your own command',
}
