/** A response of so many new files of 4 KB each. */
export function answerOf(files, { uuid, projectId = 'bench', seed = '', bytes = 4096, folder = 'src' }) {
  const line = 'export const price = (amount, rate) => Math.round(amount * rate * 100) / 100\n'
  const body = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes - 12 - seed.length)
  const parts = []
  const summary = []
  for (let number = 0; number < files; number++) {
    const path = `${folder}/part-${number % 50}/file-${number}.js`
    parts.push(`I write file ${number}.\n\n\`\`\`js // ${path}\n// START\n\n${body}\n// ${seed}\n\n// END\n\`\`\`\n\n`)
    summary.push(`  - new: ${path}\n`)
  }
  return `${parts.join('')}\`\`\`yaml\nprojectId: ${projectId}\nuuid: ${uuid}\nchangeSummary:\n${summary.join('')}\`\`\`\n`
}

/** The same files as plain data, for those that only write them. */
export function filesOf(answer) {
  return [...answer.matchAll(/```js \/\/ (.*)\n\/\/ START\n\n([\s\S]*?)\n\n\/\/ END/g)].map(([, path, body]) => [
    path,
    `${body}\n`,
  ])
}
