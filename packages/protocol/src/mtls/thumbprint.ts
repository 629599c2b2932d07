/** The certificate binding of a token: RFC 8705 §3.1. */
import { createHash } from 'node:crypto'

/** `x5t#S256`: base64url SHA-256 of the certificate's DER. */
export const certificateThumbprint = (der: Uint8Array): string => createHash('sha256').update(der).digest('base64url')
