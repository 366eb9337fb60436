import { binary, bun, bundle, sideBySide, timed, times, told } from './measure.js'

/** How long a command takes that does nothing, over the same runtime doing nothing. */
export async function start() {
  const node = process.execPath
  const t = await sideBySide(
    {
      bunEmpty: () => timed([bun, '-e', '0']),
      binaryVersion: () => timed([binary, '--version']),
      binaryHelp: () => timed([binary, '--help']),
      nodeEmpty: () => timed([node, '-e', '0']),
      bundleVersion: () => timed([node, bundle, '--version']),
      bundleHelp: () => timed([node, bundle, '--help']),
    },
    25,
  )
  const row = (what, goal, limit, value, floor, floorName) => ({
    what,
    goal,
    seen: told(value),
    floor: `${floorName}: ${told(floor)}`,
    ratio: times(value.median / floor.median),
    met: value.median / floor.median <= limit,
  })
  return [
    row('start of the binary, `--version`', '≤ 2 ×', 2, t.binaryVersion, t.bunEmpty, '`bun -e 0`'),
    row('start of the binary, `--help`', '≤ 2 ×', 2, t.binaryHelp, t.bunEmpty, '`bun -e 0`'),
    row('start from npm, `--version`', '≤ 1.5 ×', 1.5, t.bundleVersion, t.nodeEmpty, '`node -e 0`'),
    row('start from npm, `--help`', '≤ 1.5 ×', 1.5, t.bundleHelp, t.nodeEmpty, '`node -e 0`'),
  ]
}
