/** What each setting is for, in Chinese; the English words are in server/src/settings.ts. */
export const aboutInChinese = {
  DATABASE_URL: 'PostgreSQL 15 或更新版本，形如 postgres://user:password@host:port/database。',
  SECRET_KEY: '用来加密所存机密数据的密钥：至少 32 个字符，所有进程相同。',
  PUBLIC_URL: '顾客和支付渠道方访问本服务的地址：不带路径，末尾不带斜杠。',
  MQTT_URL: '设备所连的消息服务器；留空则启动内置消息服务器。网关使用自己的名称和密码登录。',
  MQTT_HOST: '内置消息服务器监听的地址。',
  MQTT_PORT: '内置消息服务器监听的端口。',
  HEALTH_PORT:
    '/healthz、/readyz 和 /metrics 的专用端口；不承担 web 角色的进程只有在这里才能被询问。承担 web 角色时，PORT 上便只剩 /healthz。默认没有。',
  HOST: 'PORT 和 HEALTH_PORT 所监听的地址。',
  PORT: 'Web 服务器监听的端口。',
  ROLES: '本进程承担的角色：web、gateway、worker，以逗号分隔。',
  DATA_DIR: '本进程存放文件的文件夹。',
  S3_BUCKET_URL:
    '存放图片的 S3 兼容对象存储桶，形如 https://bucket.host 或 https://host/bucket；留空则图片存放在 DATA_DIR 中，此时所有进程须共用该文件夹。',
  S3_REGION: '对存储桶的请求签名时所用的区域。',
  S3_ACCESS_KEY_ID: '存储桶密钥的 ID。',
  S3_SECRET_ACCESS_KEY: '存储桶的密钥。',
  TIME_ZONE: '平台的时区：日和月以此划分。',
  COMPANY_NAME: '管理后台页脚中的名称。',
  DATABASE_CONNECTIONS: '本进程的数据库连接数上限。',
  SESSION_IDLE_SECONDS: '多少秒没有操作后登录失效。',
  CALLS_PER_MINUTE: '一个地址每分钟可以请求的次数。',
  TRUST_PROXY:
    '本进程之前有多少层自己的代理，X-Forwarded-For 中由这些代理写入的部分才可信：一层为 true，更多层为层数（最多 9），没有为 false。',
  PAYMENT_WINDOW_SECONDS:
    '订单等待支付、并为其保留座椅的秒数。支付剩余时间不足一分钟的订单，微信支付不予受理。',
  START_ACK_SECONDS: '座椅应答启动指令的期限（秒），过后即重试。',
  ALERT_OFFLINE_MINUTES: '场所营业期间，设备离线多少分钟后告警。',
  ALERT_WEAK_SIGNAL_MINUTES: '场所营业期间，信号弱持续多少分钟后告警。',
  ALERT_SETTLE_MINUTES: '设备保持正常多少分钟后解除告警。',
  SMTP_URL:
    '发送邮件通知的邮件服务器，形如 smtp://user:password@host:587 或 smtps://user:password@host:465；留空则不发邮件。',
  MAIL_FROM: '邮件的发件人，形如 `alerts@example.com` 或 `Chairside <alerts@example.com>`。',
  WEBHOOKS_TO_PRIVATE_ADDRESSES:
    '是否允许 webhook 指向内网地址和 http。允许后，可以添加 webhook 的人便能触及本进程所能触及的地址。',
  WECOM_URL: '企业微信群机器人的地址。',
  DINGTALK_URL: '钉钉机器人的地址。',
  FEISHU_URL: '飞书机器人的地址。',
  LOG_LEVEL: '写入日志的最低级别。',
}
