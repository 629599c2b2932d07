/** The words of the start page. */
import type { WordTable } from './words.ts'

export const home = {
  title: ['Home', 'Start'],
} as const satisfies WordTable
