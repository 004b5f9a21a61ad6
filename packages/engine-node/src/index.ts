/** The engine on Node: files in, verdicts and error files out. */
export { bytesSource } from '@veridict/engine/byte-source'
export { type FileSource, openFileSource } from '#file-source.ts'
export { nodePlatform } from '#node-platform.ts'
export { proposeFile, type ValidationOptions, validateFile } from '#read-files.ts'
export {
  writeCorrectedFile,
  writeErrorsFile,
  writeHighlightedFile,
  writeTemplateFile,
  type WriteOptions,
  type WrittenCopy,
} from '#write-files.ts'
