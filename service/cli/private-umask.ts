import { RIGHTS_OF_OTHERS } from '@herald-speech/client/files';

/*
 * All files of this program belong to its user alone: the database with its lock, the key, voices and measurements. The processes
 * that the service starts inherit the setting. SQLite has no other way to set the rights of its files.
 */
process.umask(RIGHTS_OF_OTHERS);
