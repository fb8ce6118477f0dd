//! The package `lengthwise` for Python: what `lengthwise._lengthwise` holds. The names and pages that users see are in
//! `python/lengthwise`.

/// The documentation of a class or function of `_lengthwise.pyi`, which `help()` shows.
macro_rules! doc {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

mod assemble;
mod batch;
mod convert;
mod document;
mod dumps;
mod error;
mod from_python;
mod input;
mod messages;
mod objects;
mod options;
mod plan;
mod pon;
mod reader;
mod schema;
mod source;
mod template;
mod tsf;
mod typed;
mod units;
mod value;
mod view;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _lengthwise(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("pon_loads", wrap_pyfunction!(pon::loads, module)?)?;
    module.add("pon_dumps", wrap_pyfunction!(pon::dumps, module)?)?;
    module.add("tsf_loads", wrap_pyfunction!(tsf::loads, module)?)?;
    module.add("tsf_dumps", wrap_pyfunction!(tsf::dumps, module)?)?;
    module.add("convert", wrap_pyfunction!(convert::convert, module)?)?;
    module.add("convert_with_losses", wrap_pyfunction!(convert::convert_with_losses, module)?)?;
    module.add("compare", wrap_pyfunction!(convert::compare, module)?)?;
    module.add("messages", wrap_pyfunction!(messages::messages, module)?)?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<batch::Column>()?;
    module.add_class::<reader::BatchReader>()?;
    module.add_class::<convert::Loss>()?;
    module.add_class::<document::Document>()?;
    module.add_class::<document::Node>()?;
    module.add_class::<messages::Messages>()?;
    module.add_class::<schema::Schema>()?;
    module.add_class::<template::Template>()?;
    module.add_class::<view::View>()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
