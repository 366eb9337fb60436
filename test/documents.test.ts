import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const pages = ['.', 'docs', 'docs/development'].flatMap(folder =>
  readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name)),
)

/** What is quoted between fences is no text of the page. */
function textOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^(`{3,}).*?^\1`*$/gms, '')
}

/** As GitHub names a headline in an address. */
function anchorsOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the documents', () => {
  it.each(pages)('%s links to pages and headlines that are there', page => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const dead = links.filter(link => {
      if (/^https?:/.test(link)) return false
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
    })
    expect(dead).toEqual([])
  })

  it('name files of the code that are there', () => {
    const named = [...textOf('CONTRIBUTING.md').matchAll(/`((?:src|test|docs|examples|\.github)\/[\w./-]*)`/g)]
    expect(named.length).toBeGreaterThan(20)
    expect(named.map(([, path = '']) => path).filter(path => !existsSync(path))).toEqual([])
  })
})
