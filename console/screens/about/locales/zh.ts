export default {
  what: '{name} 是 AI 模型网关：一个地址连接多家服务商，按量精确计费，并管理用户、令牌与渠道。',
  version: '版本',
  licence: '许可证',
  hint: '替换本页内容：',
}
