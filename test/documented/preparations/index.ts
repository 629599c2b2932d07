/** The preparation of each page that needs one. */
import { clientPages } from './clients.ts'
import { otherPages } from './other.ts'
import type { Preparation } from './preparation.ts'

export const preparations: Readonly<Record<string, Preparation>> = { ...clientPages, ...otherPages }
