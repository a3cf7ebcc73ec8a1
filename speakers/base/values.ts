/** Reads values of a reply, which may have any shape. */
export { fieldOf, listOf, nameIn, numberOf, textOf } from '@herald-speech/client/interface';
