/** Names of browsers, from what they say of themselves: real ones, of 2026. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from '../../src/people/device-name.ts'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X)'

for (const [userAgent, name] of [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox · Linux'],
  [`${windows} ${blink} Chrome/150.0.0.0 Safari/537.36`, 'Chrome · Windows'],
  [`${windows} ${blink} Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0`, 'Edge · Windows'],
  [`${android} ${blink} Chrome/150.0.0.0 Mobile Safari/537.36 EdgA/150.0.0.0`, 'Edge · Android'],
  [`${windows} ${blink} Chrome/150.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera · Windows'],
  [`${android} ${blink} SamsungBrowser/30.0 Chrome/140.0.0.0 Mobile Safari/537.36`, 'Samsung Internet · Android'],
  [`${mac} ${webkit} Version/19.1 Safari/605.1.15`, 'Safari · macOS'],
  [`${iphone} ${webkit} Version/19.1 Mobile/15E148 Safari/604.1`, 'Safari · iPhone'],
  [`${iphone} ${webkit} CriOS/150.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome · iPhone'],
  [`${iphone} ${webkit} FxiOS/150.0 Mobile/15E148 Safari/605.1.15`, 'Firefox · iPhone'],
  [`Mozilla/5.0 (iPad; CPU OS 19_1 like Mac OS X) ${webkit} Version/19.1 Safari/604.1`, 'Safari · iPad'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/150.0.0.0 Safari/537.36`, 'Chrome · ChromeOS'],
  ['curl/8.14.1', null],
  ['Something on Linux', 'Linux'],
  ['Firefox/150.0', 'Firefox'],
  ['', null],
  [null, null],
] as const)
  test(`${String(userAgent).slice(-40)} is ${name}`, () => assert.equal(deviceOf(userAgent), name))
