/** The pure rules of the resource conventions (DECISIONS §4). */
export * from './problem.ts'
export * from './problem-types.ts'
export * from './quota.ts'
export * from './structured.ts'
