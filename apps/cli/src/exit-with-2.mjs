// Ends a program with 2 at an error that nothing handles. Node's own code would be 1, which means that the
// file has errors. Imported by the command line, and loaded before each command of the portal's operator.

process.on('uncaughtException', (error) => {
  // An error of the machine, such as a full disk, needs no stack.
  const text = error?.syscall ? error.message : (error?.stack ?? String(error))
  try {
    process.getBuiltinModule('node:fs').writeSync(2, `${text}\n`)
  } catch {
    // Standard error can be full or closed, too.
  }
  process.exit(2)
})
