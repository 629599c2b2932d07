#!/usr/bin/env node
// The entry of the command. Written in old syntax, so that an old Node can read it and say what to do.
import fs from 'fs'
import module from 'module'
import { fileURLToPath } from 'url'

var version = process.versions.node
if (Number(version.split('.')[0]) < 26) {
  process.stderr.write(
    'grantor needs Node 26 or newer, and this is ' + version + ': run `npm ci`, which brings one, then `npx grantor`\n',
  )
  process.exitCode = 1
} else {
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
