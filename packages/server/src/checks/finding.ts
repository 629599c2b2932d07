/** The result of a check of a deployment: its state, a sentence about it, and the fix. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly fix: string | null
}

export const passed = (check: string, message: string): Finding => ({ check, state: 'ok', message, fix: null })
export const warning = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'warn',
  message,
  fix,
})
export const failed = (check: string, message: string, fix: string): Finding => ({ check, state: 'fail', message, fix })
