//! The settings of the program: the only file that knows TOML.

use forkproof_oracle::{CONFIGURED_MODEL, CONFIGURED_PROVIDER};
use toml::{Table, Value, toml};

/// `config.toml` for a model server on `port` of loopback.
pub(super) fn config(port: u16) -> String {
    let mut table = toml! {
        approval_policy = "never"
        sandbox_mode = "danger-full-access"
        check_for_update_on_startup = false

        [skills.bundled]
        enabled = false

        [features]
        shell_snapshot = false
    };
    let address = Value::String(format!("http://127.0.0.1:{port}/v1"));
    let mut provider = toml! {
        name = "mock"
        wire_api = "responses"
        env_key = "MOCK_API_KEY"
        request_max_retries = 0
        stream_max_retries = 0
        supports_websockets = false
    };
    provider.insert("base_url".to_owned(), address);
    table.insert("model".to_owned(), CONFIGURED_MODEL.into());
    table.insert("model_provider".to_owned(), CONFIGURED_PROVIDER.into());
    let providers = Table::from_iter([(CONFIGURED_PROVIDER.to_owned(), Value::Table(provider))]);
    table.insert("model_providers".to_owned(), Value::Table(providers));
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::{CONFIGURED_PROVIDER, config};

    #[test]
    fn the_provider_leads_to_the_port() {
        let table: toml::Table = config(4711).parse().expect("toml");
        let provider = &table["model_providers"][CONFIGURED_PROVIDER];
        assert_eq!(provider["base_url"].as_str(), Some("http://127.0.0.1:4711/v1"));
        assert_eq!(provider["env_key"].as_str(), Some("MOCK_API_KEY"));
        assert_eq!(table["skills"]["bundled"]["enabled"].as_bool(), Some(false));
    }
}
