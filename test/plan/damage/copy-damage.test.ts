import { describe, expect, it } from 'vitest'
import { copyDamage } from '../../../src/plan/damage/copy-damage.ts'

/** What is said of a file that holds, among others, one line in its old and in its new form. */
function asked(line: string, copied: string, path = 'a.ts'): readonly string[] {
  const texts = [line, copied].map(it => `first()\n${it}\nlast()\n`)
  const flags = copyDamage([{ path, before: texts[0] ?? '', after: texts[1] ?? '' }])
  return flags.map(({ flag, reason }) => `${flag}: ${reason}`)
}

describe('asks about a line of the file with', () => {
  it.each([
    ['entities', 'if (a < b && c) run(x => x)', 'if (a &lt; b &amp;&amp; c) run(x =&gt; x)'],
    ['an entity for a quote', "  say('hello')", '  say(&#39;hello&#39;)'],
    ['curly double quotes', 'say("hello")', 'say(“hello”)'],
    ['curly single quotes', "say('hello')", 'say(‘hello’)'],
    ['a sign of no width', 'const name = 1', 'const na\u200bme = 1'],
    ['a byte order mark within', 'const name = 1', 'const \ufeffname = 1'],
    ['the colours of a terminal', 'const name = 1', '\u001b[31mconst\u001b[0m name = 1'],
    ['blanks that do not break', 'const name = 1', 'const\u00a0name\u00a0=\u00a01'],
    ['backslashes before underscores', 'const my_own_name = 1', 'const my\\_own\\_name = 1'],
    ['bold for underscores', 'def __init__(self):', 'def **init**(self):'],
    ['a dash for a minus', 'return a - b', 'return a – b'],
    ['one sign for three dots', 'return [...items, x]', 'return […items, x]'],
    ['a long dash for two', 'npm install --save x', 'npm install —save x'],
    ['more than one of them', '__init__("a", b_c)', '**init**(“a”, b\\_c)'],
  ])('%s', (_, line, copied) => {
    expect(asked(line, copied)).toEqual([
      'chat-artifact: line 2 of it differs from the present line only in characters that copying adds or removes',
    ])
  })

  it('letters that are there no more, in a document, too', () => {
    expect(asked('Größe, 10 €', 'Gr??e, 10 ?', 'prices.csv')).toHaveLength(1)
    expect(asked('`__init__` is called', '`init` is called', 'a.md')).toEqual([])
  })

  it.each([
    ['the low lines of a name', 'def __init__(self, a_b):', 'def init(self, a_b):'],
    ['the low lines of two', 'if __name__ == "__main__":', 'if name == "main":'],
    ['the backslash of a line end', "return a + '\\n'", "return a + 'n'"],
    ['the backslashes of an expression', 'const re = /^\\d+\\.\\w*/', 'const re = /^d+.w*/'],
    ['letters beyond ASCII', "say('größe')", "say('gr??e')"],
    ['a picture', "say('🚀 go')", "say('?? go')"],
    ['a picture, as one sign', "say('🚀 go')", "say('? go')"],
  ])('no longer %s', (_, line, copied) => {
    expect(asked(line, copied, 'a.py')).toHaveLength(1)
  })

  it('what copying takes away, but not what it makes, where a linter reads the file', () => {
    const told = (before: string, after: string) => copyDamage([{ path: 'a.ts', before, after }], () => true)
    expect(told('say("hello")\n', 'say(“hello”)\n')).toEqual([])
    expect(told("say('größe')\n", "say('gr??e')\n")).toHaveLength(1)
  })
})

describe('takes for meant', () => {
  it.each([
    ['a quote within a text', "say('do not')", "say('don’t')", 'a.ts'],
    ['another text', "say('hello')", 'say(“hi”)', 'a.ts'],
    ['an expression that was mended', 'const dots = /a.b[0]/', 'const dots = /a.b\\[0\\]/', 'a.ts'],
    ['an entity in a page', '<p>a & b, a < b</p>', '<p>a &amp; b, a &lt; b</p>', 'a.html'],
    ['quotes in a page', '<p>do not say "hello"</p>', '<p>do not say “hello”</p>', 'a.html'],
    ["an apostrophe in a page's text", "Don't", 'Don’t', 'a.tsx'],
    ['one sign for the dots of a text', "say('Loading...')", "say('Loading…')", 'a.ts'],
    ['a dash in a text', 'title("a - b")', 'title("a – b")', 'a.ts'],
    ['quotes in a comment', '// "a"', '// “a”', 'a.ts'],
    ['an apostrophe', "Don't", 'Don’t', 'a.js'],
    ['a dash in a comment', '// a - b', '// a — b', 'a.ts'],
    ['an expression without needless backslashes', "say('\\-\\\"')", `say('-"')`, 'a.ts'],
    ['a class that is imported now', 'throw new \\RuntimeException()', 'throw new RuntimeException()', 'a.php'],
    ['a function without its namespace', '\\strlen($a)', 'strlen($a)', 'a.php'],
    ['one backslash for two', "say('a\\\\nb')", "say('a\\nb')", 'a.js'],
    ['an expression without the second of each two backslashes', 'const re = /\\\\d+/', 'const re = /\\d+/', 'a.js'],
    ['the usual question mark', "say('OK？')", "say('OK?')", 'a.js'],
    ['the usual question mark in a document', 'Really？', 'Really?', 'a.md'],
    ['a name without its low line', 'run(_a, __b)', 'run(a, b)', 'a.py'],
    ['a text without its picture', "say('🚀 go')", "say('go')", 'a.ts'],
    ['whatever a document has', 'my_name "x" - y', 'my\\_name “x” – y', 'a.md'],
  ])('%s', (_, line, copied, path) => {
    expect(asked(line, copied, path)).toEqual([])
  })

  it('a line beside the one that it is like, and what the file had', () => {
    expect(asked('a_b = 1', 'a_b = 1\na\\_b = 1')).toEqual([])
    expect(asked('a\\_b = 1\na_b = 1', 'a\\_b = 1')).toEqual([])
    expect(asked('a\\_b = 1\nc = 1', 'a\\_b = 1\nc = 2')).toEqual([])
    expect(copyDamage([{ path: 'a.ts', before: '', after: 'a\\_b = 1\n' }])).toEqual([])
  })
})
