/** Asks on the terminal. */
import type { Interviewer } from './questions.ts'

export async function terminalInterviewer(): Promise<Interviewer> {
  const { password, select, text } = await import('@clack/prompts')
  return {
    text: async ({ message, placeholder, otherwise = '', secret, problem }) => {
      const validate = (typed: string | undefined) => problem?.(typed?.trim() || otherwise) ?? undefined
      const answer =
        secret === true
          ? // `password` has no placeholder, so it is drawn here, with the bar before each line.
            await password({ message: `${message}\n│  ${placeholder}`, validate })
          : await text({ message, placeholder, validate })
      // An empty answer is undefined, a cancelled one a symbol.
      return typeof answer === 'symbol' ? null : answer?.trim() || otherwise
    },
    choose: async (message, choices, initial) => {
      const options = choices.map(({ value, label, hint }) => ({ value: value as string, label, hint }))
      const picked = await select({ message, options, initialValue: initial })
      return choices.find(({ value }) => value === picked)?.value ?? null
    },
  }
}
