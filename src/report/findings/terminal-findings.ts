import { caution, type Finding, ok, problem } from './finding.ts'

/** What runs relay. */
export function runtimeFinding(
  version: string,
  { name, version: runtime, platform }: { readonly name: string; readonly version: string; readonly platform: string },
): Finding {
  const says = `${version}, ${name} ${runtime}, ${platform}`
  const [major = 0, minor = 0] = runtime.split('.').map(Number)
  const isOld = name === 'Node' && (major < 20 || (major === 20 && minor < 19))
  return isOld ? problem('relay', says, 'relay needs Node 20.19 or newer.') : ok('relay', says)
}

export interface SeenTerminal {
  readonly columns: number
  /** stderr, where relay talks, is a terminal. */
  readonly isTerminal: boolean
  readonly canAsk: boolean
  readonly whyUnasked: string | undefined
  readonly colour: boolean
  readonly unicode: boolean
  readonly links: 'none' | 'files' | 'lines'
  readonly pager: string | undefined
  readonly editor: string
  readonly hasEditor: boolean
}

export function terminalFindings(seen: SeenTerminal): readonly Finding[] {
  const { columns, isTerminal, canAsk, whyUnasked, colour, unicode, links, pager, editor, hasEditor } = seen
  const look = [
    ...(isTerminal ? [`${columns} columns`] : ['no terminal']),
    colour ? 'colours' : 'no colours',
    unicode ? 'Unicode' : 'ASCII',
    { none: 'no links', files: 'links to files', lines: 'links to lines' }[links],
    pager === undefined ? 'no pager' : `pager ${pager}`,
    hasEditor ? `editor ${editor}` : 'no editor',
  ].join(', ')
  return [
    ok('terminal', look),
    ...(isTerminal && columns < 40
      ? [caution('terminal', 'lines are laid out for 40 columns at least', 'Make the window wider.')]
      : []),
    ...(canAsk && !hasEditor
      ? [caution('terminal', `the editor "${editor}" was not found`, 'Set RELAY_EDITOR or EDITOR to another one.')]
      : []),
    ...(canAsk
      ? []
      : [
          caution(
            'terminal',
            'nobody can be asked here: what needs an answer is declined',
            whyUnasked ?? 'Run it in a terminal, without --no-input.',
          ),
        ]),
  ]
}

export function noticeFinding(way: 'none' | 'off' | 'bell' | 'terminal' | 'command'): Finding {
  switch (way) {
    case 'none':
      return ok('notices', 'none: no terminal to tell that relay waits')
    case 'off':
      return ok('notices', 'off')
    case 'bell':
      return ok('notices', "the terminal's bell")
    case 'terminal':
      return ok('notices', "the terminal's bell, title and notification, as far as it has them")
    case 'command':
      return ok('notices', 'a command of yours')
  }
}
