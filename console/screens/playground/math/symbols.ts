// What the commands of TeX stand for. Lists of words, so that they read as they are written.

const pairs = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list
      .trim()
      .split(/\s+/)
      .map(pair => {
        const at = pair.lastIndexOf('=')
        return [pair.slice(0, at), pair.slice(at + 1)] as const
      }),
  )

/** Letters, and signs that stand for themselves. */
export const letters = pairs(
  `
  alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ lambda=λ
  mu=μ nu=ν xi=ξ omicron=ο pi=π varpi=ϖ rho=ρ varrho=ϱ sigma=σ varsigma=ς tau=τ upsilon=υ phi=ϕ varphi=φ chi=χ
  psi=ψ omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω
  infty=∞ partial=∂ nabla=∇ hbar=ℏ ell=ℓ Re=ℜ Im=ℑ aleph=ℵ emptyset=∅ varnothing=∅ imath=ı jmath=ȷ
  degree=° angle=∠ triangle=△ square=□ Box=□ blacksquare=■ top=⊤ bot=⊥ dots=… ldots=… cdots=⋯ vdots=⋮ ddots=⋱
  prime=′ checkmark=✓ star=⋆ bullet=∙ % =% &=& #=# $=$ _=_ {={ }=}
`.replace('% =%', '%=%'),
)

/** Signs between two things, or before one. */
export const operators = pairs(`
  times=× div=÷ cdot=⋅ pm=± mp=∓ ast=∗ circ=∘ oplus=⊕ ominus=⊖ otimes=⊗ odot=⊙ cup=∪ cap=∩ setminus=∖ sqcup=⊔
  wedge=∧ land=∧ vee=∨ lor=∨ neg=¬ lnot=¬ forall=∀ exists=∃ nexists=∄ colon=:
  leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ ll=≪ gg=≫ lt=< gt=> leqslant=⩽ geqslant=⩾ approx=≈ sim=∼ simeq=≃ cong=≅
  equiv=≡ propto=∝ prec=≺ succ=≻ parallel=∥ perp=⊥ mid=∣ nmid=∤ in=∈ notin=∉ ni=∋ subset=⊂ supset=⊃ subseteq=⊆
  supseteq=⊇ subsetneq=⊊ models=⊨ vdash=⊢ dashv=⊣ doteq=≐ asymp=≍ coloneqq=≔ triangleq=≜
  to=→ rightarrow=→ leftarrow=← gets=← leftrightarrow=↔ Rightarrow=⇒ implies=⟹ Leftarrow=⇐ impliedby=⟸
  Leftrightarrow=⇔ iff=⟺ mapsto=↦ longrightarrow=⟶ longleftarrow=⟵ Longrightarrow=⟹ uparrow=↑ downarrow=↓
  Uparrow=⇑ Downarrow=⇓ hookrightarrow=↪ rightharpoonup=⇀ rightleftharpoons=⇌ nearrow=↗ searrow=↘ therefore=∴
  because=∵ dagger=† ddagger=‡ bmod=mod
`)

/** Large signs: what belongs to them stands above and below. */
export const large = pairs(`
  sum=∑ prod=∏ coprod=∐ bigcup=⋃ bigcap=⋂ bigoplus=⨁ bigotimes=⨂ bigvee=⋁ bigwedge=⋀
`)

/** Large signs too, but what belongs to them stands beside. */
export const integrals = pairs('int=∫ iint=∬ iiint=∭ oint=∮')

export const delimiters = pairs(`
  langle=⟨ rangle=⟩ lceil=⌈ rceil=⌉ lfloor=⌊ rfloor=⌋ lvert=| rvert=| vert=| lVert=‖ rVert=‖ Vert=‖ |=‖ lbrace={
  rbrace=} {={ }=} lbrack=[ rbrack=] backslash=\\
`)

export const accents = pairs(`
  hat=^ widehat=^ bar=¯ overline=¯ vec=→ overrightarrow=→ tilde=~ widetilde=~ dot=˙ ddot=¨ acute=´ grave=\` check=ˇ
  breve=˘ overbrace=⏞
`)

export const accentsBelow = pairs('underline=_ underbrace=⏟')

/** Names of functions; those in `limited` have their limits below. */
export const functions = new Set(
  `sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp det dim ker hom arg deg gcd Pr min
  max sup inf lim limsup liminf argmin argmax`.split(/\s+/),
)
export const limited = new Set('lim limsup liminf max min sup inf argmin argmax det gcd Pr'.split(' '))

/** In em. */
export const spaces: ReadonlyMap<string, number> = new Map([
  [',', 0.17],
  [':', 0.22],
  [';', 0.28],
  ['!', -0.17],
  [' ', 0.25],
  ['quad', 1],
  ['qquad', 2],
  ['enspace', 0.5],
])

/** What browsers have no style for is written with letters that look so. */
const alphabets: Readonly<Record<string, { upper: number; lower?: number; digit?: number; own?: string }>> = {
  bold: { upper: 0x1d400, lower: 0x1d41a, digit: 0x1d7ce },
  double: { upper: 0x1d538, lower: 0x1d552, digit: 0x1d7d8, own: 'CℂHℍNℕPℙQℚRℝZℤ' },
  script: { upper: 0x1d49c, own: 'BℬEℰFℱHℋIℐLℒMℳRℛ' },
  fraktur: { upper: 0x1d504, lower: 0x1d51e, own: 'CℭHℌIℑRℜZℨ' },
  mono: { upper: 0x1d670, lower: 0x1d68a, digit: 0x1d7f6 },
  sans: { upper: 0x1d5a0, lower: 0x1d5ba, digit: 0x1d7e2 },
}

export const styles: ReadonlyMap<string, string> = pairs(`
  mathbf=bold boldsymbol=bold bm=bold textbf=bold mathbb=double mathcal=script mathscr=script mathfrak=fraktur
  mathtt=mono texttt=mono mathsf=sans textsf=sans mathrm=plain mathit=italic textrm=plain textit=plain
`)

export function restyle(text: string, style: string): string {
  const alphabet = alphabets[style]
  if (!alphabet) return text
  const { upper, lower, digit, own = '' } = alphabet
  const signs = [...own]
  return [...text]
    .map(letter => {
      const at = signs.indexOf(letter)
      if (at >= 0 && at % 2 === 0) return signs[at + 1]
      const from = /[A-Z]/.test(letter) ? [upper, 65] : /[a-z]/.test(letter) ? [lower, 97] : [digit, 48]
      const [to, first] = from as [number | undefined, number]
      return to !== undefined && /[A-Za-z0-9]/.test(letter)
        ? String.fromCodePoint(to + letter.charCodeAt(0) - first)
        : letter
    })
    .join('')
}
