#!/usr/bin/env node
// The entry of the command. Written in old syntax, so that an old Node can read it and say what to do.
import fs from 'fs'
import module from 'module'
import { fileURLToPath } from 'url'

var version = process.versions.node
if (Number(version.split('.')[0]) < 24) {
  process.stderr.write(
    'grantor needs Node 24 or newer, and this is ' + version + ': run `npm ci`, which brings one, then `npx grantor`\n',
  )
  process.exitCode = 1
} else {
  // glibc reads its settings before a program begins, so a server begins anew, once, in its own place: docs/decisions/0017.
  var unset = process.env.GLIBC_TUNABLES === undefined
  if (unset && process.argv[2] === 'start' && process.platform === 'linux' && process.execve && !process.connected) {
    var settings = { GLIBC_TUNABLES: 'glibc.malloc.tcache_count=127:glibc.malloc.hugetlb=1' }
    var command = [process.execPath].concat(process.execArgv, process.argv.slice(1))
    process.execve(process.execPath, command, Object.assign({}, process.env, settings))
  }

  // Compiled code is kept beside the installed packages, where only their owner may write: half the time to start.
  var packages = new URL('../../../node_modules', import.meta.url)
  if (fs.existsSync(packages)) {
    var cache = fileURLToPath(packages) + '/.cache/grantor'
    module.enableCompileCache(cache)
    // For the threads and processes that this one begins.
    process.env.NODE_COMPILE_CACHE = cache
  }

  // In the repository the source is run as it is; a published package holds the same program compiled.
  var source = new URL('../src/main.ts', import.meta.url)
  void import(fs.existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
}
