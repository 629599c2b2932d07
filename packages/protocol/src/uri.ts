/** Published entry: the grammar of addresses that others give us, and where the server may be sent. */
export { type AddressBlock, addressBlock, isWithinBlocks } from './uri/address-block.ts'
export * from './uri/address-key.ts'
export * from './uri/address-rules.ts'
export * from './uri/app-scheme.ts'
export * from './uri/grammar.ts'
export * from './uri/outbound-address.ts'
export * from './uri/public-host.ts'
