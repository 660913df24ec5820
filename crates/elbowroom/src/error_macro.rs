//! One way to declare an error: an opaque struct around a kind.
//!
//! An error of this library is a struct with one accessor, `kind`, and a `#[non_exhaustive]` enum
//! of kinds that carry the data for programs. The message for people stands above its variant.
//!
//! The syntax of a variant is that of the `thiserror` crate. `thiserror` itself is not used because
//! it would add a procedural macro to the build of every user, and would not write the accessor.

/// Declares an error struct, the enum of its kinds, and the message of each kind.
///
/// Generates `kind()`, `From<Kind>`, `Display` and `std::error::Error`. The arguments of a message
/// are those of [`write!`]; the fields of the variant are in scope, as references. A message must
/// use every field. An optional last line `source = function;` names a
/// `fn(&Kind) -> Option<&(dyn Error + 'static)>` for [`std::error::Error::source`].
///
/// ```
/// elbowroom::declare_error! {
///     /// Why a rate was refused.
///     #[derive(Clone, Debug, PartialEq)]
///     pub struct RateError;
///
///     /// What was wrong with a rate.
///     #[derive(Clone, Debug, PartialEq)]
///     pub enum RateErrorKind {
///         /// There is no rate.
///         #[error("there is no rate: give one")]
///         Missing,
///         /// The rate is not positive.
///         #[error("the rate is {rate}: give a number above {}", 0)]
///         NotPositive {
///             /// The rate.
///             rate: f64,
///         },
///     }
/// }
///
/// let error = RateError::from(RateErrorKind::NotPositive { rate: -2.0 });
/// assert_eq!(error.to_string(), "the rate is -2: give a number above 0");
/// assert_eq!(error.kind(), &RateErrorKind::NotPositive { rate: -2.0 });
/// assert_eq!(RateError::from(RateErrorKind::Missing).to_string(), "there is no rate: give one");
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! declare_error {
    (
        $(#[$error_attribute:meta])*
        pub struct $error:ident;

        $(#[$kind_attribute:meta])*
        pub enum $kind:ident {
            $(
                $(#[doc = $doc:literal])*
                #[error($($message:tt)+)]
                $variant:ident $({
                    $($(#[doc = $field_doc:literal])* $field:ident: $type:ty,)+
                })?,
            )+
        }

        $(source = $source:path;)?
    ) => {
        $(#[$error_attribute])*
        pub struct $error {
            kind: $kind,
        }

        impl $error {
            /// What was wrong, for programs.
            pub fn kind(&self) -> &$kind {
                &self.kind
            }
        }

        $(#[$kind_attribute])*
        #[non_exhaustive]
        pub enum $kind {
            $(
                $(#[doc = $doc])*
                $variant $({
                    $($(#[doc = $field_doc])* $field: $type,)+
                })?,
            )+
        }

        impl ::std::convert::From<$kind> for $error {
            fn from(kind: $kind) -> Self {
                Self { kind }
            }
        }

        impl ::std::fmt::Display for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match &self.kind {
                    $($kind::$variant $({ $($field),+ })? => ::std::write!(f, $($message)+),)+
                }
            }
        }

        impl ::std::error::Error for $error {
            $(
                fn source(&self) -> ::std::option::Option<&(dyn ::std::error::Error + 'static)> {
                    $source(&self.kind)
                }
            )?
        }
    };
}
