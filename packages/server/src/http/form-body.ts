/** Request bodies: only form-encoded text up to 64 KiB. */
import { parseForm, type Refusal } from '@grantor/protocol/oauth'
import { err } from '@grantor/protocol/result'
import type { FastifyInstance } from 'fastify'

export const bodyLimit = 64 * 1024
const formType = 'application/x-www-form-urlencoded'
/** The spellings that browsers, curl and libraries use. */
export const plainFormTypes: ReadonlySet<string> = new Set([
  formType,
  `${formType};charset=UTF-8`,
  `${formType}; charset=utf-8`,
])

export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // A body with a greater Content-Length or of another type is refused before a byte of it is read.
  app.addContentTypeParser(formType, { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    const { 'content-type': type, 'content-encoding': encoding } = request.headers
    const plain = (type === formType || utf8(type)) && (encoding === undefined || encoding === 'identity')
    // Latin-1 maps every byte to one character, so that the parser sees raw non-ASCII bytes, and refuses them.
    done(null, plain ? parseForm((body as Buffer).toString('latin1')) : unsupported)
  })
}

const unsupported = err<Refusal>({ reason: 'content_type_unsupported' })

/** A form has no charset but UTF-8 (WHATWG URL §5); a request that names another would be misread. */
function utf8(type = ''): boolean {
  const named = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1]
  return named === undefined || named.toLowerCase() === 'utf-8' || named.toLowerCase() === 'utf8'
}
