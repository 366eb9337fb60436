import type { AttemptFacts } from '../../model/task.ts'
import { beforeSection, commandRule, gitRule, placeRule, section } from './work-rules.ts'

/** Adds to a request what an agent that may write has to know: its folder, the rules, and the earlier attempts. */
export function askWorkEnvelope(request: string, facts: AttemptFacts, allow: readonly string[] | 'any'): string {
  const rules = [
    'The request is to be carried out, not only to be answered: change the files that it takes.',
    placeRule(facts.cwd),
    [gitRule, commandRule(allow)].join('\n'),
  ]
  return [request, ...section('How to work', ...rules), ...beforeSection(facts)].join('\n\n')
}
