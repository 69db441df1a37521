//! Images and sounds that no model is sent (CX-REC-17).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::choices::Media;
use crate::Json;

/// An item with texts in place of what is left out.
pub(super) fn supported(item: Json, media: Media) -> Json {
    if media == Media::Sent {
        return item;
    }
    let part = |one| lowered(part(one), media);
    let parts = |value: Json| match value {
        Json::Array(parts) => Json::Array(parts.into_iter().map(part).collect()),
        other => other,
    };
    item.map_member("content", parts).map_member("output", parts)
}

/// Original detail is for models that can use it; the one that the oracle knows cannot.
fn lowered(part: Json, media: Media) -> Json {
    if media != Media::ReplacedOrLowered {
        return part;
    }
    part.map_member("detail", |detail| match detail.as_str() {
        Some("original") => Json::string("high"),
        _ => detail,
    })
}

fn part(part: Json) -> Json {
    let text = |key: &str| part.get(key).and_then(Json::as_str).unwrap_or_default();
    let why = match text("type") {
        "input_image" => image(text("image_url"), text("detail")),
        // The model that the oracle knows cannot hear.
        "input_audio" => Some(NO_AUDIO),
        _ => None,
    };
    match why {
        Some(why) => {
            Json::object([("type", Json::string("input_text")), ("text", Json::string(why))])
        }
        None => part,
    }
}

const NO_AUDIO: &str = "audio content omitted because you do not support audio input";
const REMOTE: &str = "image content omitted because remote image URLs are not supported";
const BROKEN: &str = "image content omitted because it could not be processed";
const LOW: &str = "image content omitted because detail 'low' is not supported; \
                   use 'high', 'original', or 'auto'";

/// Why an image is left out.
fn image(url: &str, detail: &str) -> Option<&'static str> {
    let lower = url.to_ascii_lowercase();
    if detail == "low" {
        return Some(LOW);
    }
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return Some(REMOTE);
    }
    let data = lower.starts_with("data:").then(|| url.split_once(',')).flatten();
    match data {
        Some((_, data)) => (!is_image(data)).then_some(BROKEN),
        None => lower.starts_with("data:").then_some(BROKEN),
    }
}

/// Whether it is base64 of something that begins as an image does; a program looks further.
fn is_image(data: &str) -> bool {
    const STARTS: [&[u8]; 4] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"RIFF"];
    STANDARD.decode(data).is_ok_and(|bytes| STARTS.iter().any(|start| bytes.starts_with(start)))
}
