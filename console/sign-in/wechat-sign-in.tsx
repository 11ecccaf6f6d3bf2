import { thirdPartyEndpoints } from '../../contract/sign-in.ts'
import type { SignedIn } from '../../contract/users.ts'
import { call } from '../api.ts'
import WechatDialog from './wechat-dialog.tsx'

interface WechatSignInProps {
  title: string
  onDone(answer: SignedIn): unknown
  close(): void
}

export default function WechatSignIn({ title, onDone, close }: WechatSignInProps) {
  const submit = async (code: string) =>
    onDone(await call(thirdPartyEndpoints.wechatSignIn, { query: { code } }))
  return <WechatDialog title={title} submit={submit} close={close} />
}
