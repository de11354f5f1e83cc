#pragma once

/// Forward declarations of Sheaf's public types.
namespace sheaf::inline v1 {}
