/** Which addresses are public, in every spelling a URL can give one: a table both ways. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedHost, isPublicAddress as isPublic } from '@grantor/protocol/uri'
import { targetOf } from '../../src/outbound/target.ts'

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '))
const nobody: ReadonlySet<string> = new Set()

const specialAddresses = words(
  '0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254',
  '168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1',
  '192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.7',
  '203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255',
  ':: ::1 ::2 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:808:808::',
  '2620:4f:8000::1 3ffe::1 3fff::1 3fff:fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0',
  'fec0::1 ff02::1 ff0e::1 2606:4700::1%1 8.8.8.8%1',
)

const publicAddresses = words(
  '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 168.63.129.17',
  '169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.0.3.1 192.167.255.255 192.169.0.0 198.17.255.255',
  '198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255',
  '2001:200::1 2001:4860:4860::8888 2001:db7::1 2003::1 2606:4700:4700::1111 2620:4f:8001::1 2a00:1450::1 3fff:1000::1',
)

test('special addresses are not public, nor is what only looks like an address', () => {
  const wrong = [...specialAddresses, '', 'localhost', '127.1', '1.2.3.4.5', '[::1]'].filter(isPublic)
  assert.deepEqual(wrong, [])
})

test('addresses beside the special ones are public', () => {
  assert.deepEqual(
    publicAddresses.filter((address) => !isPublic(address)),
    [],
  )
})

test('a URL may hold a public address and no special one', () => {
  const written = (address: string) => `https://${address.includes(':') ? `[${address}]` : address}/x`
  assert.deepEqual(
    specialAddresses.filter((address) => targetOf(written(address), nobody) !== null),
    [],
  )
  assert.deepEqual(
    publicAddresses.filter((address) => targetOf(written(address), nobody) === null),
    [],
  )
})

test('no spelling hides an address: numbers, octal, hexadecimal, short, encoded, full width, dotted', () => {
  const spellings = words(
    '2130706433 0x7f000001 017700000001 0x7f.1 127.1 127.0.1 0177.0.0.1 0x7f.0x0.0x0.0x1 127.0.0.1. 0 0x0 00 3232235521',
    '0xa9fea9fe 169.254.43518 %31%32%37.0.0.1 127%2e0.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① [::] [::1] [0000::0001]',
    '[0:0:0:0:0:0:0:1] [::FFFF:7F00:0001] [::ffff:127.0.0.1] [::ffff:0x7f.1] [::127.0.0.1] [64:ff9b::127.0.0.1]',
    '[fe80::1%25eth0] [fe80::1%eth0] [2002:7f00:0001::] [2001:0000:4136:e378::] 256.0.0.1 1.2.3.4.5 4294967296',
  )
  assert.deepEqual(
    spellings.filter((host) => targetOf(`https://${host}/x`, nobody) !== null),
    [],
  )
})

test('names that are not of the public network are refused', () => {
  const names = words(
    'localhost LOCALHOST localhost. a.localhost a.localhost. ｌocalhost loc%61lhost printer.local vault.internal intranet a',
    'metadata.google.internal router.home.arpa x.test x.invalid x.example site.onion a..example.com .example.com',
    `example.com. example.com.. ${'a.'.repeat(130)}com`,
  )
  assert.deepEqual(
    names.filter((host) => targetOf(`https://${host}/x`, nobody) !== null),
    [],
  )
  assert.equal(targetOf('https://Example.COM/x?y=1', nobody)?.host, 'example.com')
  assert.equal(targetOf('https://bücher.de/', nobody)?.host, 'xn--bcher-kva.de')
})

test('only a plain https URL leads anywhere: no other scheme, user, fragment, blank, backslash, or length', () => {
  const urls = [
    ...words(
      'http://example.com/ ftp://example.com/ file:///etc/passwd data:text/plain,x javascript:0 https:// example.com //a.b',
      'https://user@example.com/ https://user:secret@example.com/ https://@example.com/ https://example.com#',
      'https://example.com/#x https:\\\\example.com\\ https://example.com\\@127.0.0.1/ https://example.com:99999/',
    ),
    '',
    ' https://example.com/',
    'https://example.com/ ',
    'https://exam\tple.com/',
    `https://example.com/${'x'.repeat(2048)}`,
  ]
  assert.deepEqual(
    urls.filter((url) => targetOf(url, nobody) !== null),
    [],
  )
  assert.deepEqual(targetOf('https://example.com:8443/@a/b?c=@d', nobody), {
    host: 'example.com',
    port: 8443,
    path: '/@a/b?c=@d',
    authority: 'example.com:8443',
    allowed: false,
  })
})

test('what the operator allows is allowed as named: a host at every port, or one port of it', () => {
  const allow = new Set(
    ['LocalHost', '127.0.0.1:9000', '[::1]', 'inside.grantor.dev:443'].map((entry) => allowedHost(entry) ?? ''),
  )
  const reachable = words(
    'https://localhost/ https://localhost:7/ https://127.0.0.1:9000/ https://127.1:9000/ https://[::1]:5/',
    'https://inside.grantor.dev/',
  )
  const not = words('https://127.0.0.1/ https://127.0.0.1:9001/ https://a.localhost/ https://[::2]/ https://intranet/')
  assert.deepEqual(
    reachable.map((url) => targetOf(url, allow)?.allowed),
    reachable.map(() => true),
  )
  assert.deepEqual(
    not.map((url) => targetOf(url, allow)),
    not.map(() => null),
  )
  assert.equal(targetOf('https://inside.grantor.dev:8443/', allow)?.allowed, false)
})

test('an entry of the list is a host or a host and port, and nothing else', () => {
  assert.deepEqual(
    words('a.corp a.corp:8443 a.corp:443 [::1]:1 0x7f.1').map(allowedHost),
    words('a.corp a.corp:8443 a.corp:443 [::1]:1 127.0.0.1'),
  )
  const wrong = [...words('https://a.corp a.corp/x u@a.corp 10.0.0.0/8 ::1 a.corp:port [::1'), 'a b', '']
  assert.deepEqual(
    wrong.filter((entry) => allowedHost(entry) !== null),
    [],
  )
})
