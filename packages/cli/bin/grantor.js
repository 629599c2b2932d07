#!/usr/bin/env node
// The door of the command. Written in old syntax, so that an old Node can read it and say what to do.
import fs from 'fs'

var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    'grantor needs Node 24 or newer and this is ' +
      process.versions.node +
      ': run `npm ci`, which brings its own Node, then `npx grantor ' +
      (process.argv.slice(2).join(' ') || '--help') +
      '`\n',
  )
  process.exitCode = 1
} else {
  // In the repository the source is run as it is; a published package holds the same program compiled.
  var source = new URL('../src/main.ts', import.meta.url)
  void import(fs.existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href)
}
