import { Skeleton } from 'antd'

/** The shape of what is on its way; without antd's title, which is an empty heading to whoever hears the page. */
export const Loading = () => <Skeleton active paragraph={{ rows: 8 }} title={false} className="loading" />
