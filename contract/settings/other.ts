import { blankIsDefault, integer, longText, text } from './define.ts'
import { panelSettings } from './panels.ts'

/** The family's old file permissions: kept so that its tools can read and write them; nothing obeys them. */
const legacyPermission = (zh: string, en: string) =>
  integer('other.legacy', 0, { max: 100, label: { zh, en } })

const writtenPage = {
  zh: '支持 Markdown 与 HTML；填写链接则在框架中显示该页面',
  en: 'Markdown and HTML; a link is shown in a frame',
}
const writtenAgreement = {
  zh: `${writtenPage.zh}。填写后，注册时须勾选同意`,
  en: `${writtenPage.en}. If set, new users must agree to it`,
}

export const otherSettings = {
  Notice: longText('other.notice', '', {
    kind: 'html',
    public: true,
    label: { zh: '公告', en: 'Announcement' },
    help: { zh: '支持 Markdown 与 HTML', en: 'Markdown and HTML' },
  }),
  ...panelSettings,
  // Mails, titles and buttons have to call it something.
  SystemName: blankIsDefault(
    text('other.personal', 'Tollgate', {
      public: true,
      max: 50,
      label: { zh: '系统名称', en: 'System name' },
    }),
  ),
  Logo: text('other.personal', '', {
    public: true,
    max: 2000,
    pattern: /^(https?:\/\/|\/|data:image\/)/,
    hint: { zh: '必须是图片地址', en: 'must be the address of an image' },
    label: { zh: 'Logo 图片地址', en: 'Logo image address' },
  }),
  HomePageContent: longText('other.personal', '', {
    kind: 'html',
    public: true,
    label: { zh: '首页内容', en: 'Home page' },
    help: writtenPage,
  }),
  About: longText('other.personal', '', {
    kind: 'html',
    public: true,
    label: { zh: '关于', en: 'About page' },
    help: writtenPage,
  }),
  UserAgreement: longText('other.personal', '', {
    kind: 'html',
    public: true,
    label: { zh: '用户协议', en: 'User agreement' },
    help: writtenAgreement,
  }),
  PrivacyPolicy: longText('other.personal', '', {
    kind: 'html',
    public: true,
    label: { zh: '隐私政策', en: 'Privacy policy' },
    help: writtenAgreement,
  }),
  Footer: longText('other.personal', '', {
    kind: 'html',
    public: true,
    label: { zh: '页脚', en: 'Footer' },
    help: { zh: '支持 HTML，留空则使用默认页脚', en: 'HTML; blank for the default footer' },
  }),
  FileUploadPermission: legacyPermission('文件上传权限', 'File upload permission'),
  FileDownloadPermission: legacyPermission('文件下载权限', 'File download permission'),
  ImageUploadPermission: legacyPermission('图片上传权限', 'Image upload permission'),
  ImageDownloadPermission: legacyPermission('图片下载权限', 'Image download permission'),
}
