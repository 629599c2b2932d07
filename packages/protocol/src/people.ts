/** Published entry: people. */
export * from './people/account-policy.ts'
export * from './people/administrator.ts'
export * from './people/mail-address.ts'
export * from './people/person.ts'
export * from './people/recovery-code.ts'
export * from './people/totp.ts'
export * from './people/username.ts'
