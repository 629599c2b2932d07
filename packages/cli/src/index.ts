/** The published face: the whole command as a function. */
export { exitCodes } from './program/exit.ts'
export { run } from './program/run.ts'
export type { World } from './program/environment.ts'
