import { describe, expect, it } from 'vitest'
import { silentTrace, tellingTrace } from '../../src/system/trace.ts'

describe('the trace', () => {
  it('tells of each span as it ends, the inner ones first', async () => {
    const lines: string[] = []
    const trace = tellingTrace(line => lines.push(line.replaceAll(/ *\d+\.\d ms/g, ' TIME')))
    const answer = await trace.span('outer', () => trace.span('inner', () => 42))
    expect(answer).toBe(42)
    expect(lines).toEqual(['trace  at TIME  took TIME  inner', 'trace  at TIME  took TIME  outer'])
  })

  it('tells of a span that failed, and passes the failure on', async () => {
    const lines: string[] = []
    const trace = tellingTrace(line => lines.push(line))
    const failing = trace.span('failing', async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(lines.map(line => line.split('  ').at(-1))).toEqual(['failing'])
  })

  it('only does the work when nobody asked', async () => {
    expect(await silentTrace.span('work', () => 42)).toBe(42)
  })
})
