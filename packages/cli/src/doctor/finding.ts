/** What the doctor finds: how it is, in a sentence, and what to do about it. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly says: string
  readonly fix: string | null
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says, fix: null })
export const warn = (check: string, says: string, fix: string): Finding => ({ check, state: 'warn', says, fix })
export const fail = (check: string, says: string, fix: string): Finding => ({ check, state: 'fail', says, fix })
