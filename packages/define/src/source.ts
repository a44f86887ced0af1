// Where the files of a project are read from, for programs that load definitions without the command.
export { describeFileError, memorySource, openFolder, type TextSource } from '@cuebook/files';
