//! The settings of the program: the only file that knows TOML.

use toml::{Table, Value, toml};

/// `config.toml` for a model server on `port` of loopback.
pub(super) fn config(port: u16) -> String {
    let mut table = toml! {
        model = "mock-model"
        model_provider = "mock"
        approval_policy = "never"
        sandbox_mode = "danger-full-access"
        check_for_update_on_startup = false

        [model_providers.mock]
        name = "mock"
        wire_api = "responses"
        env_key = "MOCK_API_KEY"
        request_max_retries = 0
        stream_max_retries = 0
        supports_websockets = false

        [skills.bundled]
        enabled = false

        [features]
        shell_snapshot = false
    };
    let address = Value::String(format!("http://127.0.0.1:{port}/v1"));
    if let Some(provider) = provider(&mut table) {
        provider.insert("base_url".to_owned(), address);
    }
    table.to_string()
}

fn provider(table: &mut Table) -> Option<&mut Table> {
    table.get_mut("model_providers")?.get_mut("mock")?.as_table_mut()
}

#[cfg(test)]
mod tests {
    use super::config;

    #[test]
    fn the_provider_leads_to_the_port() {
        let table: toml::Table = config(4711).parse().expect("toml");
        let provider = &table["model_providers"]["mock"];
        assert_eq!(provider["base_url"].as_str(), Some("http://127.0.0.1:4711/v1"));
        assert_eq!(provider["env_key"].as_str(), Some("MOCK_API_KEY"));
        assert_eq!(table["skills"]["bundled"]["enabled"].as_bool(), Some(false));
    }
}
