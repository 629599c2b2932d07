/** The published face: the whole command as a function. */
export { exitCodes } from './ending.ts'
export { run } from './run.ts'
export type { World } from './world.ts'
