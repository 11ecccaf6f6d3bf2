import tokens from 'gpt-tokenizer/bpeRanks/o200k_base'
import { PairMerger } from './merge-pairs.ts'
import { addPair, addText, createTables, type TokenTables } from './token-tables.ts'

const LONGEST_TOKEN = 1024
const encoder = new TextEncoder()
const bytes = new Uint8Array(LONGEST_TOKEN)

/** Tokens come in the order of their rank, so those before it leave each in the two parts that make it. */
export function fillTables(): TokenTables {
  const tables = createTables(tokens.length, countUnits())
  const merger = new PairMerger(tables)
  tokens.forEach((token, rank) => {
    if (encode(token) === 1) tables.tokenOfByte[bytes[0] ?? 0] = rank
  })
  tokens.forEach((token, rank) => {
    addText(tables, rank, typeof token === 'string' ? token : '')
    if (merger.merge(bytes, encode(token)) === 2) addPair(tables, rank, merger.partAt(0), merger.partAt(1))
  })
  return tables
}

function countUnits(): number {
  let units = 0
  for (const token of tokens) if (typeof token === 'string') units += token.length
  return units
}

function encode(token: string | readonly number[]): number {
  if (typeof token === 'string') return encoder.encodeInto(token, bytes).written
  bytes.set(token)
  return token.length
}
