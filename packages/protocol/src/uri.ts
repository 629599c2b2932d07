/** Published entry: the grammar of addresses from others, and the rules for outbound calls. */
export { type AddressBlock, addressBlock, isWithinBlocks } from './uri/address-block.ts'
export * from './uri/address-key.ts'
export * from './uri/address-rules.ts'
export * from './uri/app-scheme.ts'
export * from './uri/grammar.ts'
export * from './uri/outbound-address.ts'
export * from './uri/public-host.ts'
