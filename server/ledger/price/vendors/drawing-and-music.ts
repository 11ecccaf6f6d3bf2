import type { VendorPrices } from '../vendor-prices.ts'

/** Drawing services name their acts alike, whoever runs them. */
export const drawing: VendorPrices = {
  calls: {
    mj_imagine: 0.1,
    mj_variation: 0.1,
    mj_reroll: 0.1,
    mj_blend: 0.1,
    mj_modal: 0.1,
    mj_zoom: 0.1,
    mj_shorten: 0.1,
    mj_high_variation: 0.1,
    mj_low_variation: 0.1,
    mj_pan: 0.1,
    mj_inpaint: 0,
    mj_custom_zoom: 0,
    mj_describe: 0.05,
    mj_upscale: 0.05,
    swap_face: 0.05,
    mj_upload: 0.05,
    mj_edits: 0.1,
    mj_video: 0.8,
  },
}

export const music: VendorPrices = {
  calls: {
    suno_music: 0.1,
    suno_lyrics: 0.01,
  },
}
