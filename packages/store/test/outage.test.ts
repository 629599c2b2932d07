/** Which errors of PostgreSQL and of its driver say that it is away, and which that something is wrong. */
import { equal } from 'node:assert/strict'
import { constants } from 'node:os'
import { test } from 'node:test'
import pg from 'pg'
import { isOutage } from '../src/drivers/postgres/outage.ts'

const said = (code: string): Error => Object.assign(new pg.DatabaseError(code, 0, 'error'), { code })

test('whatever the network says is an outage, also where its code could be an SQLSTATE', () => {
  for (const code of Object.keys(constants.errno)) equal(isOutage(Object.assign(new Error(code), { code })), true, code)
  equal(isOutage(new Error('Connection terminated unexpectedly')), true)
  equal(isOutage(new pg.DatabaseError('could not fork new process for connection', 0, 'error')), true)
})

test('of what the database says is an outage what speaks of the server', () => {
  const server = ['08P01', '53300', '57014', '57P01', '58030', '25006', '25P03', '25P04', '3D000', '28P01']
  const session = ['55P03', '26000', 'XX001', 'XX002']
  for (const code of [...server, ...session]) equal(isOutage(said(code)), true, code)
  for (const code of ['42P01', '42601', '23505', '40001', '22021', 'XX000', '0A000'])
    equal(isOutage(said(code)), false, code)
})
