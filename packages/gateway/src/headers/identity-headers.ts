/** The headers that tell an API who the caller is. Only the gateway may set them. */
import type { Caller } from '@grantor/resource'

export const identityHeaders = [
  'Grantor-Subject',
  'Grantor-Client',
  'Grantor-Scope',
  'Grantor-Tenant',
  'Grantor-Token-Id',
] as const

export type IdentityHeader = (typeof identityHeaders)[number]

/** All headers, always: in place of one left out, the API could see a value that the client sent. */
export function identityOf({ subject, clientId, scope, tenant, jti }: Caller): Record<IdentityHeader, string> {
  return {
    'Grantor-Subject': headerText(subject),
    'Grantor-Client': headerText(clientId),
    'Grantor-Scope': [...scope].map(headerText).join(' '),
    'Grantor-Tenant': headerText(tenant ?? 'default'),
    'Grantor-Token-Id': headerText(jti),
  }
}

/** Percent-encoded where it is not a visible ASCII character, or the percent sign itself. */
const headerText = (text: string): string =>
  /^[\x21-\x24\x26-\x7E]*$/.test(text)
    ? text
    : text
        .toWellFormed()
        .replaceAll(/[^\x21-\x24\x26-\x7E]+/g, (part) =>
          [...Buffer.from(part)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
        )
