/** Published entry: client certificates (RFC 8705, RFC 9440). */
export * from './mtls/alternative-name.ts'
export * from './mtls/certificate.ts'
export * from './mtls/certificate-header.ts'
export * from './mtls/certificate-path.ts'
export * from './mtls/distinguished-name.ts'
export * from './mtls/thumbprint.ts'
