import { findSecrets } from '../../ground/find-secrets.ts'
import { hideSecrets } from '../checkout/secrets.ts'

/** A text that others will read, with `***` for each secret: those of the environment, and all that looks like one. */
export async function maskSecrets(text: string, env: Readonly<Record<string, string>>): Promise<string> {
  const shown = hideSecrets(text, env).replaceAll(keyBlock, '***').replaceAll(awsId, '***')
  // What an agent wrote may not switch the rules off.
  const found = await findSecrets('pull-request.md', shown.replaceAll('secretlint-', 'secretlint '))
  return found.reduce((masked, { text }) => masked.replaceAll(text, '***'), shown)
}

/** Also an encrypted key, and one with other signs in front of its lines, such as a quotation. */
const keyBlock = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{1,10000}?-----END [A-Z ]{0,30}PRIVATE KEY-----/g
/** It tells whose the secret key is, and stands beside it. */
const awsId = /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g
