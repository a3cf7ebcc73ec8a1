import { NaturalVoiceError } from '../../installed/errors.js';

/** Bytes at the start of a file that show its kind. */
export const HEAD_BYTES = 512;

const WEB_PAGE = /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i;
/** The text file that takes the place of a large file in a Git repository (git-lfs.com). */
const LFS_POINTER = /^version https:\/\/git-lfs\./;

/**
 * Recognizes a web page or a Git LFS pointer in place of a file.
 * @param head the first bytes
 * @param type the media type of the reply
 * @throws NaturalVoiceError `network` or `digest`
 */
export function refuseWrongContent(subject: string, head: Uint8Array, type = ''): void {
  const text = Buffer.from(head)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  if (WEB_PAGE.test(text) || (/^text\/html\b/i.test(type) && text.trimStart().startsWith('<'))) {
    const cause = 'the content is a web page, for example the sign-in page of the network, or an error page';
    throw new NaturalVoiceError('network', `${subject}: ${cause}. Open the address in a browser`);
  }
  if (LFS_POINTER.test(text)) {
    const fix = 'Run "git lfs pull" in the mirror';
    throw new NaturalVoiceError(
      'digest',
      `${subject}: the file is a Git LFS pointer, not the content. ${fix}`,
    );
  }
}
